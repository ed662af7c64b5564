#!/usr/bin/env bash
# Certificates: a server whose authority nobody named is refused, and told the key by no one; SSL_CERT_FILE, CURL_CA_BUNDLE and SSL_CERT_DIR
# name authorities. The server is openssl's, which takes the connection and never answers.
# test-deadline: 60
set -u
command -v openssl >/dev/null || { echo "skip certificates (no openssl)"; exit 0; }
D=$BUILD/regraph-doctor; W=$(mktemp -d); server=; trap '[ -n "$server" ] && kill $server 2>/dev/null; rm -rf "$W"' EXIT
cd "$W" || exit 1
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR http_proxy https_proxy HTTPS_PROXY
export OPENAI_API_KEY=sk-tls-1122334455
bad=0
say() { if [ "$1" -eq 0 ]; then echo "ok $2"; else echo "not ok $2: $3"; bad=1; fi; }
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost >/dev/null 2>&1 || { echo "skip certificates (openssl makes none)"; exit 0; }
mkfifo nothing; exec 9<>nothing # an input that never ends
for port in 18443 18543 18643 18743; do
    openssl s_server -quiet -accept $port -key key.pem -cert cert.pem <&9 >said 2>server.err & server=$!
    sleep 0.5; kill -0 $server 2>/dev/null && break; server=
done
[ -n "$server" ] || { echo "skip certificates (no free port)"; exit 0; }
probe() { timeout 10 "$D" --llm --llm-url https://localhost:$port/v1 --llm-model x --llm-timeout 1s >out 2>&1; }
probe; grep -q 'certificate' out; say $? refused-without-its-authority "$(tr '\n' ' ' <out)"
! grep -q sk-tls said; say $? key-is-not-told "$(head -c 200 said)"
SSL_CERT_FILE=cert.pem probe; ! grep -q 'certificate' out; say $? SSL_CERT_FILE "$(tr '\n' ' ' <out)"
grep -q 'Authorization: Bearer sk-tls' said; say $? key-is-told-then "$(head -c 200 said)"
CURL_CA_BUNDLE=cert.pem probe; ! grep -q 'certificate' out; say $? CURL_CA_BUNDLE "$(tr '\n' ' ' <out)"
mkdir ca; cp cert.pem "ca/$(openssl x509 -hash -noout -in cert.pem).0"
SSL_CERT_FILE=/dev/null SSL_CERT_DIR=$W/ca probe; ! grep -q 'self-signed\|unable to get' out; say $? SSL_CERT_DIR "$(tr '\n' ' ' <out)"
exit $bad
