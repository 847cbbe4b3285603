import { address, getAddressEncoder, getProgramDerivedAddress, type Address } from '@solana/kit'

export const systemProgram: Address = address('11111111111111111111111111111111')
export const tokenProgram: Address = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const token2022Program: Address = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const associatedTokenProgram: Address = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const metadataProgram: Address = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')

/** Addresses without an owner, to which tokens are sent by mistake or to destroy them. */
export const burnAddresses: readonly string[] = [
  systemProgram,
  '1nc1nerator11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
]

/** True for the owner of a token account or mint: the token program, or Token-2022. */
export function isTokenProgram(owner: string): boolean {
  return owner === tokenProgram || owner === token2022Program
}

/** Derives the associated token account of an owner for one mint. */
export async function getTokenAccount(owner: Address, mint: Address, program: Address): Promise<Address> {
  const encode = getAddressEncoder().encode
  const seeds = [encode(owner), encode(program), encode(mint)]
  const [derived] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram, seeds })
  return derived
}

/** Derives the account in which the metadata program keeps the name of a mint. */
export async function getMetadataAccount(mint: Address): Promise<Address> {
  const encode = getAddressEncoder().encode
  const seeds = [new TextEncoder().encode('metadata'), encode(metadataProgram), encode(mint)]
  const [derived] = await getProgramDerivedAddress({ programAddress: metadataProgram, seeds })
  return derived
}
