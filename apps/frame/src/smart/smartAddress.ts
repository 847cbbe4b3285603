import { concat, encodeAbiParameters, getContractAddress, getCreate2Address, keccak256, type Hex } from 'viem'

/** Creation code of a minimal proxy (EIP-1167) around the address of its implementation. */
const proxy = {
  before: '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
  after: '0x5af43d82803e903d91602b57fd5bf3',
} as const

/**
 * Computes the address of a key's smart account without a network, so that no node can report another one.
 *
 * @param owner address of the key
 * @param factory factory whose first contract is the implementation
 */
export function smartAddress(owner: Hex, factory: Hex): Hex {
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))
  const bytecode = concat([proxy.before, implementation, proxy.after])
  return getCreate2Address({ from: factory, salt, bytecode })
}
