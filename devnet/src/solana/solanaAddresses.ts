import { address, type Address } from '@solana/kit'

/**
 * The funded accounts of the local Solana, derived from the shared development phrase at
 * `m/44'/501'/i'/0'` (SLIP-0010), the path that wallets use. Hard-coded because deriving takes longer than a start.
 */
export const solanaAddresses: readonly [Address, ...Address[]] = [
  address('oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'),
  address('AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD'),
  address('CqMbRgMuEhQi9BUS8xP44Wk5nENm48FqJnfjEi4eNb1k'),
  address('9Tj3srBSxH7RFRCm8uharreY7ZBS49XSfpwCeYa7Xaqp'),
  address('6gYw7q94fJdEwL8WkT1a6LHBdTMbix1aciALwEWPx3Wp'),
  address('7EeV8eiRuGoR8bFHCjdCRGQd1RM5sR2dAkdiTEtC9ko7'),
  address('F9fVg2LeE2RhM6CfNn888hbjqovZDEWY3vm2hEkvX3Nh'),
  address('26roUwgM5T6bccX41hakjiW4fDiKFSao1RyoFsAxr6e6'),
  address('5mCGtMUD21HEvWJxKGKS6HEAH7ezzy12MWGs4bPgcJwV'),
  address('2yaW8VAMLhQiornz1BgcSWDUSH2jC2dmB8RWnTJi8Yab'),
]
