"""An identity provider for the tests: a small authorization server on loopback that really makes codes, holds them to
PKCE and to their client, uses each once, and signs ID tokens. What it says can be bent, to see that it is refused."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

CLIENT, SECRET = "sayso-page", "a client's own secret: %+&"


class Provider:
    """The stand-in; `user` is who signs in there, `bend` changes the claims that it signs."""

    def __init__(self):
        self.user = {"sub": "ada", "name": "Ada", "zoneinfo": "Europe/Rome", "locale": "it-IT"}
        self.bend, self.metadata, self.refuses, self.how = {}, {}, False, "client_secret_basic"
        self.codes, self.used = {}, []
        self.key = ec.generate_private_key(ec.SECP256R1())
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                provider.get(self)

            def do_POST(self):
                provider.post(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def get(self, request):
        place = urlsplit(request.path)
        if place.path == "/.well-known/openid-configuration":
            usual = {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token",
                "jwks_uri": f"{self.address}/keys",
            }
            return self.json(request, 200, usual | self.metadata)
        if place.path == "/keys":
            public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key()))
            return self.json(request, 200, {"keys": [public | {"kid": "one", "alg": "ES256", "use": "sig"}]})
        if place.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(place.query).items()}
            return self.redirect(request, self.returned(asked))
        return self.json(request, 404, {})

    def returned(self, asked):
        """Where the browser is sent once the person has agreed, or has not."""
        answer = {"state": asked["state"], "iss": self.address}
        if self.refuses:
            return f"{asked['redirect_uri']}?{urlencode(answer | {'error': 'access_denied'})}"
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode(answer | {'code': code})}"

    def post(self, request):
        form = request.rfile.read(int(request.headers["Content-Length"])).decode()
        given = {name: values[0] for name, values in parse_qs(form).items()}
        asked = self.codes.pop(given.get("code"), None)
        challenge = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        good = (
            asked is not None
            and self.knows(request.headers.get("Authorization"), given)
            and given["redirect_uri"] == asked["redirect_uri"]
            and base64.urlsafe_b64encode(challenge).decode().rstrip("=") == asked["code_challenge"]
        )
        if not good:
            return self.json(request, 400, {"error": "invalid_grant"})
        self.used.append(given["code"])
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        claims |= self.user | self.bend
        token = jwt.encode(claims, self.key, algorithm="ES256", headers={"kid": "one"})
        return self.json(request, 200, {"id_token": token, "access_token": "unused", "token_type": "Bearer"})

    def knows(self, header, given):
        """Whether the client proves itself as it is registered to."""
        pair = base64.b64decode((header or "").removeprefix("Basic ")).decode().split(":")
        return (
            given["client_id"] == CLIENT
            and {
                "client_secret_basic": [unquote(part) for part in pair] == [CLIENT, SECRET],
                "client_secret_post": header is None and given.get("client_secret") == SECRET,
                "none": header is None and "client_secret" not in given,
            }[self.how]
        )

    @staticmethod
    def json(request, status, value):
        content = json.dumps(value).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)

    @staticmethod
    def redirect(request, address):
        request.send_response(303)
        request.send_header("Location", address)
        request.send_header("Content-Length", "0")
        request.end_headers()
