// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev ERC-3668: the answer is to be fetched elsewhere and brought back.
error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

/// @dev What the gateway answers.
interface NameGateway {
    function answer(bytes calldata name, bytes calldata question, address resolver)
        external
        view
        returns (bytes memory result, uint64 expires, bytes memory signature);
}

/// @title A resolver of names that are kept by a Latchkey server (ENSIP-10 over ERC-3668).
/// @notice Set it as the resolver of the name whose subnames the server gives. It believes what one of its signers
/// signed for it: for this contract, this question and a time that is not over.
contract LatchkeyResolver {
    address public owner;
    mapping(address signer => bool trusted) public isSigner;
    string[] private gateways;

    event OwnerChanged(address owner);
    event SignerChanged(address signer, bool trusted);
    event GatewaysChanged(string[] gateways);

    error NotOwner();
    error Expired();
    error WrongSigner();

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner();
        _;
    }

    constructor(address owner_, address signer) {
        owner = owner_;
        isSigner[signer] = true;
        emit OwnerChanged(owner_);
        emit SignerChanged(signer, true);
    }

    function setOwner(address owner_) external onlyOwner {
        owner = owner_;
        emit OwnerChanged(owner_);
    }

    /// @notice Trusts another key, or one no more: a new key can be trusted before the old one is given up.
    function setSigner(address signer, bool trusted) external onlyOwner {
        isSigner[signer] = trusted;
        emit SignerChanged(signer, trusted);
    }

    /// @notice Says where the server is asked, the first that answers; addresses without `{data}` are posted to.
    function setGateways(string[] memory gateways_) external onlyOwner {
        gateways = gateways_;
        emit GatewaysChanged(gateways_);
    }

    function getGateways() external view returns (string[] memory) {
        return gateways;
    }

    /// @notice ENSIP-10: answers for every name below the one that this contract is set for.
    function resolve(bytes calldata name, bytes calldata question) external view returns (bytes memory) {
        bytes memory asked = abi.encodeCall(NameGateway.answer, (name, question, address(this)));
        revert OffchainLookup(address(this), gateways, asked, this.resolveSigned.selector, asked);
    }

    /// @notice Takes what the gateway answered to `asked`.
    function resolveSigned(bytes calldata response, bytes calldata asked) external view returns (bytes memory) {
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        if (expires < block.timestamp) revert Expired();
        bytes32 hash =
            keccak256(abi.encodePacked(hex"1900", address(this), expires, keccak256(asked), keccak256(result)));
        if (!isSigner[recover(hash, signature)]) revert WrongSigner();
        return result;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == this.resolve.selector;
    }

    function recover(bytes32 hash, bytes memory signature) private pure returns (address signer) {
        if (signature.length != 65) revert WrongSigner();
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        signer = ecrecover(hash, v, r, s);
        // Nobody is what a broken signature is signed by.
        if (signer == address(0)) revert WrongSigner();
    }
}
