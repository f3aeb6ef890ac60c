"""Decides which hosts a user's address may lead to: public hosts, and the networks that the operator names.

The check is on the IP address of the connection, not on the host name. So a name that resolves to a public address when
it is added and to a private address when it is used is blocked.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")


class Networks:
    """The private networks that may be reached."""

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._allowed = [ip_network(each, strict=False) for each in allowed]

    def may_reach(self, host: str) -> bool:
        """Whether a connection to this address may be opened. False for anything that is not an IP address."""
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return False
        return all(self._is_open(each) for each in _meant(address))

    def _is_open(self, address: IPv4Address | IPv6Address) -> bool:
        if any(address in network for network in self._allowed if network.version == address.version):
            return True
        return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _meant(address: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """The address, and the IPv4 addresses that an IPv6 address embeds."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        return [address, address.sixtofour]
    if address.teredo is not None:
        return [address, *address.teredo]
    if address in _NAT64 or address in _COMPATIBLE:
        return [address, IPv4Address(int(address) & 0xFFFF_FFFF)]
    return [address]
