// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What a login asks of Farcaster's registries: who an account belongs to, and who may log it in besides.
/// @notice Its code stands at the addresses of both. Anyone may write anything: it is for a world without worth.
contract LocalFarcaster {
    enum KeyState {
        NULL,
        ADDED,
        REMOVED
    }

    struct KeyData {
        KeyState state;
        uint32 keyType;
    }

    mapping(address owner => uint256 fid) public idOf;
    mapping(uint256 fid => address owner) public custodyOf;
    mapping(uint256 fid => mapping(bytes key => KeyData)) private keys;

    function register(uint256 fid, address owner) external {
        delete idOf[custodyOf[fid]];
        idOf[owner] = fid;
        custodyOf[fid] = owner;
    }

    function setKey(uint256 fid, uint32 keyType, bytes calldata key, KeyState state) external {
        keys[fid][key] = KeyData(state, keyType);
    }

    function keyDataOf(uint256 fid, bytes calldata key) external view returns (KeyData memory) {
        return keys[fid][key];
    }
}
