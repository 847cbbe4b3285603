// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev ERC-3668.
error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

interface WildcardResolver {
    function resolve(bytes calldata name, bytes calldata question) external view returns (bytes memory);
}

interface Records {
    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory);
    function name(bytes32 node) external view returns (string memory);
}

/// @title What ENS clients ask on a local chain: which resolver a name has, and what it says.
/// @notice The calls are those of the universal resolver of ENS that clients use. Behind it is a plain list of resolvers
/// in place of the registry; each answers by ENSIP-10, on the chain or off it.
contract LocalNames {
    address public immutable owner;
    mapping(bytes32 node => address resolver) public resolverOf;

    error NotOwner();
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error DNSDecodingFailed(bytes dns);

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Sets who answers for a name and all names below that have no resolver of their own.
    function setResolver(bytes32 node, address resolver) external {
        if (msg.sender != owner) revert NotOwner();
        resolverOf[node] = resolver;
    }

    function findResolver(bytes memory name) public view returns (address resolver, bytes32 node, uint256 offset) {
        node = nodeOf(name, 0);
        while (true) {
            resolver = resolverOf[nodeOf(name, offset)];
            uint256 length = uint8(name[offset]);
            if (resolver != address(0) || length == 0) return (resolver, node, offset);
            offset += length + 1;
        }
    }

    function resolveWithGateways(bytes calldata name, bytes calldata question, string[] calldata)
        external
        view
        returns (bytes memory, address)
    {
        address resolver = mustFind(name);
        return (ask(resolver, name, question, this.resolved.selector, ""), resolver);
    }

    function resolved(bytes calldata response, bytes calldata kept) external view returns (bytes memory, address) {
        (bytes memory result, address resolver,) = back(response, kept);
        return (result, resolver);
    }

    /// @notice The name of an address, if it leads back to it (ENSIP-3, ENSIP-19).
    function reverseWithGateways(bytes calldata account, uint256 coinType, string[] calldata)
        external
        view
        returns (string memory, address, address)
    {
        return reverseOf(account, coinType);
    }

    function reversed(bytes calldata response, bytes calldata kept)
        external
        view
        returns (string memory, address, address)
    {
        (bytes memory result, address resolver, bytes memory context) = back(response, kept);
        (bytes memory account, uint256 coinType) = abi.decode(context, (bytes, uint256));
        return forward(result, account, coinType, resolver);
    }

    function checked(bytes calldata response, bytes calldata kept)
        external
        view
        returns (string memory, address, address)
    {
        (bytes memory result, address resolver, bytes memory context) = back(response, kept);
        (string memory primary, bytes memory account, address reverseResolver) =
            abi.decode(context, (string, bytes, address));
        return compare(primary, result, account, resolver, reverseResolver);
    }

    function reverseOf(bytes memory account, uint256 coinType) private view returns (string memory, address, address) {
        bytes memory reverse = encode(string.concat(hexOf(account), ".", spaceOf(coinType), ".reverse"));
        address resolver = mustFind(reverse);
        bytes memory question = abi.encodeCall(Records.name, (nodeOf(reverse, 0)));
        bytes memory context = abi.encode(account, coinType);
        bytes memory result = ask(resolver, reverse, question, this.reversed.selector, context);
        return forward(result, account, coinType, resolver);
    }

    function forward(bytes memory result, bytes memory account, uint256 coinType, address reverseResolver)
        private
        view
        returns (string memory, address, address)
    {
        string memory primary = abi.decode(result, (string));
        if (bytes(primary).length == 0) return ("", address(0), reverseResolver);
        bytes memory name = encode(primary);
        address resolver = mustFind(name);
        bytes memory question = abi.encodeCall(Records.addr, (nodeOf(name, 0), coinType));
        bytes memory context = abi.encode(primary, account, reverseResolver);
        bytes memory told = ask(resolver, name, question, this.checked.selector, context);
        return compare(primary, told, account, resolver, reverseResolver);
    }

    function compare(
        string memory primary,
        bytes memory result,
        bytes memory account,
        address resolver,
        address reverseResolver
    ) private pure returns (string memory, address, address) {
        bytes memory leadsTo = abi.decode(result, (bytes));
        if (keccak256(leadsTo) != keccak256(account)) revert ReverseAddressMismatch(primary, leadsTo);
        return (primary, resolver, reverseResolver);
    }

    /// @dev Asks a resolver. One that answers off the chain is asked through this contract, which is who the client asked.
    function ask(address resolver, bytes memory name, bytes memory question, bytes4 next, bytes memory context)
        private
        view
        returns (bytes memory result)
    {
        (bool ok, bytes memory returned) =
            resolver.staticcall(abi.encodeCall(WildcardResolver.resolve, (name, question)));
        if (ok) return abi.decode(returned, (bytes));
        if (returned.length < 4 || bytes4(returned) != OffchainLookup.selector) revert ResolverError(returned);
        passOn(resolver, returned, next, context);
    }

    /// @dev Sends the client on to where a resolver wants him to ask.
    function passOn(address resolver, bytes memory returned, bytes4 next, bytes memory context) private view {
        (address sender, string[] memory urls, bytes memory asked, bytes4 callback, bytes memory extra) =
            abi.decode(tail(returned), (address, string[], bytes, bytes4, bytes));
        if (sender != resolver) revert ResolverError(returned);
        revert OffchainLookup(address(this), urls, asked, next, abi.encode(resolver, callback, extra, context));
    }

    /// @dev Gives a resolver what was fetched for it.
    function back(bytes calldata response, bytes calldata kept)
        private
        view
        returns (bytes memory result, address resolver, bytes memory context)
    {
        bytes4 callback;
        bytes memory extra;
        (resolver, callback, extra, context) = abi.decode(kept, (address, bytes4, bytes, bytes));
        (bool ok, bytes memory returned) = resolver.staticcall(abi.encodeWithSelector(callback, response, extra));
        if (!ok) revert ResolverError(returned);
        result = abi.decode(returned, (bytes));
    }

    function mustFind(bytes memory name) private view returns (address resolver) {
        (resolver,,) = findResolver(name);
        if (resolver == address(0)) revert ResolverNotFound(name);
    }

    /// @dev The node of a name as DNS writes it, from one of its labels on.
    function nodeOf(bytes memory name, uint256 offset) private pure returns (bytes32) {
        if (offset >= name.length) revert DNSDecodingFailed(name);
        uint256 length = uint8(name[offset]);
        if (length == 0) return bytes32(0);
        if (offset + 1 + length >= name.length) revert DNSDecodingFailed(name);
        bytes32 label;
        assembly ("memory-safe") {
            label := keccak256(add(add(name, 33), offset), length)
        }
        return keccak256(abi.encodePacked(nodeOf(name, offset + 1 + length), label));
    }

    /// @dev A name as DNS writes it: each label behind its length, a zero at the end.
    function encode(string memory name) private pure returns (bytes memory dns) {
        bytes memory text = bytes(name);
        dns = new bytes(text.length + 2);
        uint256 start = 0;
        for (uint256 i = 0; i <= text.length; i++) {
            if (i < text.length && text[i] != ".") {
                dns[i + 1] = text[i];
                continue;
            }
            if (i - start > 255) revert DNSDecodingFailed(text);
            dns[start] = bytes1(uint8(i - start));
            start = i + 1;
        }
    }

    /// @dev Where names of addresses of a coin are kept (ENSIP-19).
    function spaceOf(uint256 coinType) private pure returns (string memory) {
        if (coinType == 60) return "addr";
        if (coinType == 0x80000000) return "default";
        bytes memory digits = bytes(hexOf(abi.encodePacked(coinType)));
        uint256 first = 0;
        while (first < digits.length - 1 && digits[first] == "0") first++;
        bytes memory shortest = new bytes(digits.length - first);
        for (uint256 i = first; i < digits.length; i++) shortest[i - first] = digits[i];
        return string(shortest);
    }

    function hexOf(bytes memory data) private pure returns (string memory) {
        bytes memory text = new bytes(data.length * 2);
        for (uint256 i = 0; i < data.length; i++) {
            text[2 * i] = bytes16("0123456789abcdef")[uint8(data[i]) >> 4];
            text[2 * i + 1] = bytes16("0123456789abcdef")[uint8(data[i]) & 15];
        }
        return string(text);
    }

    function tail(bytes memory data) private pure returns (bytes memory rest) {
        rest = new bytes(data.length - 4);
        for (uint256 i = 4; i < data.length; i++) rest[i - 4] = data[i];
    }
}
