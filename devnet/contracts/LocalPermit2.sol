// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The allowances of Permit2 (`AllowanceTransfer`), with its functions and events but without signatures: tests put its
/// code at the address of Permit2 on their own chain.
contract LocalPermit2 {
  struct Allowance {
    uint160 amount;
    uint48 expiration;
    uint48 nonce;
  }

  struct TokenSpenderPair {
    address token;
    address spender;
  }

  event Approval(
    address indexed owner,
    address indexed token,
    address indexed spender,
    uint160 amount,
    uint48 expiration
  );
  event Permit(
    address indexed owner,
    address indexed token,
    address indexed spender,
    uint160 amount,
    uint48 expiration,
    uint48 nonce
  );
  event Lockdown(address indexed owner, address token, address spender);

  mapping(address owner => mapping(address token => mapping(address spender => Allowance))) public allowance;

  function approve(address token, address spender, uint160 amount, uint48 expiration) external {
    Allowance storage allowed = allowance[msg.sender][token][spender];
    allowed.amount = amount;
    allowed.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
    emit Approval(msg.sender, token, spender, amount, expiration);
  }

  /// What a permit of the owner does once its signature was verified.
  function permitOwn(address token, address spender, uint160 amount, uint48 expiration) external {
    Allowance storage allowed = allowance[msg.sender][token][spender];
    emit Permit(msg.sender, token, spender, amount, expiration, allowed.nonce);
    allowed.amount = amount;
    allowed.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
    allowed.nonce += 1;
  }

  function lockdown(TokenSpenderPair[] calldata approvals) external {
    for (uint256 index = 0; index < approvals.length; ++index) {
      address token = approvals[index].token;
      address spender = approvals[index].spender;
      allowance[msg.sender][token][spender].amount = 0;
      emit Lockdown(msg.sender, token, spender);
    }
  }
}
