// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {ERC7579Utils} from "@openzeppelin/contracts/account/utils/draft-ERC7579Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignerECDSA} from "@openzeppelin/contracts/utils/cryptography/signers/SignerECDSA.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";

/// @title The smart account of the embedded wallet: OpenZeppelin's account with one key, batches and ERC-1271 (ERC-7739).
/// @notice One delegation manager (ERC-7710), fixed at deployment, may execute the calls of delegations that the key signed.
contract LatchkeyAccount is Account, SignerECDSA, EIP712, ERC7739, ERC7821, ERC721Holder, ERC1155Holder, Initializable {
    using ERC7579Utils for bytes;

    error UnsupportedDelegatedCall();

    bytes32 private constant OPERATION = keccak256("UserOperation(bytes32 hash)");

    /// The only contract that executes delegated calls. It verifies the delegation and its caveats.
    address public immutable delegationManager;

    /// Nobody owns the contract that the accounts are clones of.
    constructor(address delegationManager_) SignerECDSA(address(0)) EIP712("Latchkey Account", "1") {
        delegationManager = delegationManager_;
        _disableInitializers();
    }

    /// @notice Called by the factory as it makes the account.
    function initialize(address signer_) external initializer {
        _setSigner(signer_);
    }

    /// @notice Hands the account to another key, by an operation of the one it has.
    function setSigner(address signer_) external onlyEntryPointOrSelf {
        require(signer_ != address(0), "no signer");
        _setSigner(signer_);
    }

    /// @notice Version of the account (ERC-7579).
    function accountId() external pure returns (string memory) {
        return "latchkey.account.2.0.0";
    }

    /// @notice Executes one call that the delegation manager has verified (ERC-7710).
    /// @dev A single call that reverts on failure. Limits of enforcers do not cover batches and calls that may fail.
    /// The account, the entry point and the manager are no targets: a caveat that is too wide can't change the key, the
    /// deposit or other delegations. Address zero would be the account itself (ERC-7579 utilities of OpenZeppelin).
    function executeFromExecutor(bytes32 mode, bytes calldata executionCalldata)
        external
        payable
        returns (bytes[] memory)
    {
        if (msg.sender != delegationManager) revert AccountUnauthorized(msg.sender);
        if (mode != bytes32(0) || executionCalldata.length < 52) revert UnsupportedDelegatedCall();
        address target = address(bytes20(executionCalldata));
        if (
            target == address(0) || target == address(this) || target == address(entryPoint())
                || target == delegationManager
        ) revert UnsupportedDelegatedCall();
        return executionCalldata.execSingle(ERC7579Utils.EXECTYPE_DEFAULT);
    }

    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V07;
    }

    /// An operation is signed as typed data of this account: no message that a page has signed is ever one.
    function _signableUserOpHash(PackedUserOperation calldata, bytes32 hash) internal view override returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(OPERATION, hash)));
    }

    function _erc7821AuthorizedExecutor(address caller, bytes32 mode, bytes calldata data)
        internal
        view
        override
        returns (bool)
    {
        return caller == address(entryPoint()) || super._erc7821AuthorizedExecutor(caller, mode, data);
    }
}
