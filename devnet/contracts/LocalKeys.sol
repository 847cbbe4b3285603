// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Enumerable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title The ERC-721 collection of the local world: keys that draw themselves.
/// @notice Names, descriptions and pictures live on the chain, so a wallet needs no other server to show them.
contract LocalKeys is ERC721Enumerable {
    using Strings for uint256;

    /// @param holders get one key each, numbered from 1 in their order.
    constructor(string memory name, string memory symbol, address[] memory holders) ERC721(name, symbol) {
        for (uint256 i = 0; i < holders.length; i++) mint(holders[i]);
    }

    function mint(address to) public returns (uint256 tokenId) {
        tokenId = totalSupply() + 1;
        _mint(to, tokenId);
    }

    function tokenURI(uint256 tokenId) public view override(ERC721) returns (string memory) {
        _requireOwned(tokenId);
        string memory picture = Base64.encode(bytes(_draw(tokenId)));
        bytes memory json = abi.encodePacked(
            '{"name":"Latchkey Key #',
            tokenId.toString(),
            '","description":"A key of the local world, drawn by its contract.",',
            '"image":"data:image/svg+xml;base64,',
            picture,
            '"}'
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    /// A round bow, a shaft and three bits; the token id chooses the colour and how long the bits are.
    function _draw(uint256 tokenId) private pure returns (string memory) {
        uint256 seed = uint256(keccak256(abi.encode(tokenId)));
        string memory hue = (seed % 360).toString();
        bytes memory bits = abi.encodePacked(
            "M200 160v",
            _bitLength(seed >> 16),
            "M235 160v",
            _bitLength(seed >> 32),
            "M270 160v",
            _bitLength(seed >> 48)
        );
        bytes memory svg = abi.encodePacked(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320">',
            '<rect width="320" height="320" fill="hsl(',
            hue,
            ' 45% 14%)"/><g fill="none" stroke="hsl(',
            hue,
            ' 85% 72%)" stroke-width="16" stroke-linecap="round" stroke-linejoin="round">',
            '<circle cx="100" cy="160" r="50"/><path d="M150 160H270',
            bits,
            '"/></g></svg>'
        );
        return string(svg);
    }

    function _bitLength(uint256 seed) private pure returns (string memory) {
        return (24 + (seed % 4) * 12).toString();
    }
}
