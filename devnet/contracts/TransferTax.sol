// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
}

interface IPair {
    function token0() external view returns (address);

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata data) external;
}

/// @title Measures what a token keeps of a transfer out of a pair, and of one into it.
/// @notice Never deployed: a node runs it as a call, and what the constructor returns is the answer. It borrows from the
/// pair, sends back, and undoes all of it.
contract TransferTax {
    constructor(address pair, address token) {
        bytes memory answer = new Borrower().measure(pair, token);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

contract Borrower {
    address private immutable MAKER = msg.sender;

    /// @return what was borrowed, what of it came, and what of that came back: three words, or nothing
    function measure(address pair, address token) external returns (bytes memory) {
        require(msg.sender == MAKER);
        uint256 amount = IToken(token).balanceOf(pair) / 1000;
        bool first = IPair(pair).token0() == token;
        try IPair(pair).swap(first ? amount : 0, first ? 0 : amount, address(this), abi.encode(token, amount)) {
            return "";
        } catch (bytes memory reason) {
            return reason.length == 96 ? reason : bytes("");
        }
    }

    fallback() external {
        // The callback of every kin of the pair has these four, by whatever name.
        (, , , bytes memory data) = abi.decode(msg.data[4:], (address, uint256, uint256, bytes));
        (address token, uint256 amount) = abi.decode(data, (address, uint256));
        uint256 came = IToken(token).balanceOf(address(this));
        uint256 before = IToken(token).balanceOf(msg.sender);
        // Some tokens return nothing.
        (bool done, ) = token.call(abi.encodeWithSelector(0xa9059cbb, msg.sender, came));
        uint256 back = IToken(token).balanceOf(msg.sender) - before;
        bytes memory told = done ? abi.encode(amount, came, back) : bytes("");
        assembly {
            revert(add(told, 32), mload(told))
        }
    }
}
