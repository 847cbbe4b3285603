// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A resolver that keeps its records on the chain (ENSIP-10).
/// @notice Anyone may write any record: it is for tests, where people lie about names.
contract PlainNames {
    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private addresses;
    mapping(bytes32 node => string) private names;
    mapping(bytes32 node => mapping(string key => string)) private texts;

    function setAddress(bytes32 node, uint256 coinType, bytes calldata value) external {
        addresses[node][coinType] = value;
    }

    function setName(bytes32 node, string calldata value) external {
        names[node] = value;
    }

    function setText(bytes32 node, string calldata key, string calldata value) external {
        texts[node][key] = value;
    }

    function resolve(bytes calldata, bytes calldata question) external view returns (bytes memory) {
        bytes4 selector = bytes4(question);
        bytes32 node = bytes32(question[4:36]);
        if (selector == bytes4(keccak256("addr(bytes32)"))) return abi.encode(address(bytes20(addresses[node][60])));
        if (selector == bytes4(keccak256("name(bytes32)"))) return abi.encode(names[node]);
        if (selector == bytes4(keccak256("text(bytes32,string)"))) {
            (, string memory key) = abi.decode(question[4:], (bytes32, string));
            return abi.encode(texts[node][key]);
        }
        require(selector == bytes4(keccak256("addr(bytes32,uint256)")), "no such record");
        return abi.encode(addresses[node][uint256(bytes32(question[36:68]))]);
    }
}
