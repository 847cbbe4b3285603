import { nativeAddress } from './routeSource.ts'

const chain = 'eip155:31337'

/** Accounts and contracts of the local world, for examples. */
export const exampleIds = {
  chain,
  native: `${chain}:${nativeAddress}`,
  token: `${chain}:0x96F77459edb117232007A1531f358d54a2a863f3`,
  user: `${chain}:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`,
} as const
