import type { PrivateKeyAccount } from 'viem/accounts'

/** What a channel asks an account to sign. */
export type SignInAsked = { readonly domain: string; readonly siweUri: string; readonly nonce: string }

/** Sign In With Farcaster (FIP-11): the message of an account, in the form of EIP-4361. */
export function writeSignIn(
  { domain, siweUri, nonce }: SignInAsked,
  { fid, address, issuedAt }: { fid: bigint; address: string; issuedAt: Date },
): string {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Farcaster Auth',
    '',
    `URI: ${siweUri}`,
    'Version: 1',
    // That of its own chain, whichever this one is.
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    'Resources:',
    `- farcaster://fid/${fid}`,
  ].join('\n')
}

/** Writes and signs it. */
export async function signIn(
  asked: SignInAsked,
  { fid, signer, issuedAt = new Date() }: { fid: bigint; signer: PrivateKeyAccount; issuedAt?: Date },
): Promise<{ message: string; signature: string }> {
  const message = writeSignIn(asked, { fid, address: signer.address, issuedAt })
  return { message, signature: await signer.signMessage({ message }) }
}
