// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignerECDSA} from "@openzeppelin/contracts/utils/cryptography/signers/SignerECDSA.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";

/// @title The smart account of the embedded wallet: OpenZeppelin's account with one key, batches and ERC-1271 (ERC-7739).
contract LatchkeyAccount is Account, SignerECDSA, EIP712, ERC7739, ERC7821, ERC721Holder, ERC1155Holder, Initializable {
    bytes32 private constant OPERATION = keccak256("UserOperation(bytes32 hash)");

    /// Nobody owns the contract that the accounts are clones of.
    constructor() SignerECDSA(address(0)) EIP712("Latchkey Account", "1") {
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
