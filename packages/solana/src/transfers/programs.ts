import { address, getAddressEncoder, getProgramDerivedAddress, type Address } from '@solana/kit'

/** The programs that keep and move what people own. */
export const systemProgram: Address = address('11111111111111111111111111111111')
export const tokenProgram: Address = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const token2022Program: Address = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const associatedTokenProgram: Address = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const metadataProgram: Address = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')

/** Where people send what nobody is to have any more. */
export const burnAddresses: readonly string[] = [
  systemProgram,
  '1nc1nerator11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
]

/** Whether an account of tokens or a mint belongs to this program. */
export function isTokenProgram(owner: string): boolean {
  return owner === tokenProgram || owner === token2022Program
}

/** Where an owner's tokens of one mint are kept by everybody's convention (the associated token account). */
export async function tokenAccountOf(owner: Address, mint: Address, program: Address): Promise<Address> {
  const encode = getAddressEncoder().encode
  const seeds = [encode(owner), encode(program), encode(mint)]
  const [derived] = await getProgramDerivedAddress({ programAddress: associatedTokenProgram, seeds })
  return derived
}

/** Where a mint's name is kept that was given by the metadata program. */
export async function metadataAccountOf(mint: Address): Promise<Address> {
  const encode = getAddressEncoder().encode
  const seeds = [new TextEncoder().encode('metadata'), encode(metadataProgram), encode(mint)]
  const [derived] = await getProgramDerivedAddress({ programAddress: metadataProgram, seeds })
  return derived
}
