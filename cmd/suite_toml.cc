// TOML by a library of C++ (tomlplusplus): the document as JSON text for the C parts.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>

extern "C" char *suite_toml_to_json(const char *text, size_t len, int *line, int *column, char *why, size_t size);

extern "C" char *suite_toml_to_json(const char *text, size_t len, int *line, int *column, char *why, size_t size)
{
    try {
        std::stringstream json;
        json << toml::json_formatter{toml::parse(std::string_view{text, len})};
        return strdup(json.str().c_str());
    } catch (const toml::parse_error &e) {
        *line = static_cast<int>(e.source().begin.line);
        *column = static_cast<int>(e.source().begin.column);
        std::snprintf(why, size, "%.*s", static_cast<int>(e.description().size()), e.description().data());
    } catch (const std::exception &e) {
        *line = *column = 0;
        std::snprintf(why, size, "%s", e.what());
    }
    return nullptr;
}
