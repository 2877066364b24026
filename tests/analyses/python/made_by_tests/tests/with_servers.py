from servers import Servers, first_ok


def test_first():
    servers = Servers()
    servers.known = {"main": ("http://test", None)}
    first_ok(servers)
