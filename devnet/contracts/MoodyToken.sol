// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A token whose behaviour anyone may change: it can be paused, refuse without a revert, and lie about balances.
/// @notice Worth nothing: anyone may mint it.
contract MoodyToken is ERC20("Moody Token", "MOOD") {
    enum Mood {
        Good,
        Paused,
        Refusing,
        Lying
    }

    Mood public mood;

    function setMood(Mood next) external {
        mood = next;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        require(mood != Mood.Paused, "Pausable: paused");
        if (mood == Mood.Refusing) return false;
        return super.transfer(to, amount);
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return mood == Mood.Lying ? type(uint128).max : super.balanceOf(holder);
    }
}
