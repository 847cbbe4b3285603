// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token like Tether on Ethereum: an allowance can only change from or to zero, and nothing is returned.
/// @notice Worth nothing: anyone may mint it.
contract StrictToken {
    string public constant name = "Strict Dollar";
    string public constant symbol = "STRICT";
    uint8 public constant decimals = 6;

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
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
