// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title An ERC-20 token of the local world.
/// @notice Its first holders are born with it and anyone may mint more, because it is worth nothing.
contract LocalToken is ERC20 {
    uint8 private immutable DECIMALS;

    constructor(
        string memory name,
        string memory symbol,
        uint8 decimals_,
        address[] memory holders,
        uint256 amountEach
    ) ERC20(name, symbol) {
        DECIMALS = decimals_;
        for (uint256 i = 0; i < holders.length; i++) _mint(holders[i], amountEach);
    }

    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
