// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token for measurements: it says that many transfers happened, to many accounts, at little cost.
contract Fountain {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Fountain";
    string public constant symbol = "DROP";
    uint8 public constant decimals = 18;

    /// Receivers are numbered from here.
    uint256 private constant FIRST = uint256(0xf0) << 152;

    /// @param seed chooses who receives, among `accounts` of them.
    function pour(uint256 seed, uint256 count, uint256 accounts) external {
        for (uint256 i = 0; i < count; i++) {
            uint256 receiver = uint256(keccak256(abi.encode(seed, i))) % accounts;
            emit Transfer(address(this), address(uint160(FIRST + receiver)), i + 1);
        }
    }

    /// Nobody's balance is kept: everybody has as much.
    function balanceOf(address) external pure returns (uint256) {
        return 1 ether;
    }
}
