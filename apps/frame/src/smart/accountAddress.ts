import { concat, encodeAbiParameters, getContractAddress, getCreate2Address, keccak256, type Hex } from 'viem'

/** What a minimal proxy is created from (EIP-1167), around the contract that it hands all calls to. */
const proxy = {
  before: '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
  after: '0x5af43d82803e903d91602b57fd5bf3',
} as const

/**
 * Where the smart account of a key is, or will be: known without asking a network, so that none can name another one.
 *
 * @param owner the key's own address
 * @param factory whose first contract is what the accounts are proxies of
 */
export function smartAddress(owner: Hex, factory: Hex): Hex {
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]))
  const bytecode = concat([proxy.before, implementation, proxy.after])
  return getCreate2Address({ from: factory, salt, bytecode })
}
