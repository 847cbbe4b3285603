// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title An account that is a contract: its owner's key signs for it (ERC-1271).
contract LocalAccount {
    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Hands the account to another key: what the former one signed does not count any more.
    function setOwner(address owner_) external {
        require(msg.sender == owner, "not the owner");
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
