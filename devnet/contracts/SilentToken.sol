// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token as old as the standard: it answers nothing when it is moved, and its texts have 32 bytes.
/// @notice Worth nothing: anyone may mint it.
contract SilentToken {
    bytes32 public constant name = "Silent Token";
    bytes32 public constant symbol = "SLNT";
    uint256 public constant decimals = 6;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
