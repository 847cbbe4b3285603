// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What the simulated wallets of the testkit have on the chain.
/// @notice Keys delegate to it (EIP-7702) to send batches; deployed, it is a contract wallet of one owner that signs
/// as a Safe does (ERC-1271 over the EIP-712 type SafeMessage).
contract SimulatedAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    /// @notice All of them, or none.
    function execute(Call[] calldata calls) external payable {
        require(msg.sender == owner || msg.sender == address(this), "not the owner");
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!done) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }

    /// @notice What the owner signs for a message with this hash.
    function messageHash(bytes32 hash) public view returns (bytes32) {
        bytes32 message = keccak256(abi.encode(keccak256("SafeMessage(bytes message)"), keccak256(abi.encode(hash))));
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, message));
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(
            messageHash(hash),
            uint8(signature[64]),
            bytes32(signature[0:32]),
            bytes32(signature[32:64])
        );
        return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
