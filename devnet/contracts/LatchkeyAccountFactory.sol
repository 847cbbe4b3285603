// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {LatchkeyAccount} from "./LatchkeyAccount.sol";

/// @title Makes smart accounts, at addresses that depend on their first key alone. It has no owner.
contract LatchkeyAccountFactory {
    /// Its address is that of the first contract that this one made.
    LatchkeyAccount public immutable implementation;

    /// @param delegationManager executes delegated calls of all accounts (ERC-7710)
    constructor(address delegationManager) {
        implementation = new LatchkeyAccount(delegationManager);
    }

    /// @notice Makes an account, or finds the one that is there.
    function createAccount(address signer, uint256 salt) external returns (address account) {
        account = getAddress(signer, salt);
        if (account.code.length > 0) return account;
        Clones.cloneDeterministic(address(implementation), _salt(signer, salt));
        LatchkeyAccount(payable(account)).initialize(signer);
    }

    /// @notice Where the account of a key is, or will be.
    function getAddress(address signer, uint256 salt) public view returns (address) {
        return Clones.predictDeterministicAddress(address(implementation), _salt(signer, salt));
    }

    function _salt(address signer, uint256 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(signer, salt));
    }
}
