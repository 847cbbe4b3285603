import type { PrivateKeyAccount } from 'viem/accounts'

/** The fields of a sign-in that a channel requests. */
export type FarcasterSignInRequest = { readonly domain: string; readonly siweUri: string; readonly nonce: string }

/** Formats a Sign In With Farcaster message (FIP-11), in the format of EIP-4361. */
export function formatFarcasterSignIn(
  { domain, siweUri, nonce }: FarcasterSignInRequest,
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
    // FIP-11 fixes the chain id.
    'Chain ID: 10',
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    'Resources:',
    `- farcaster://fid/${fid}`,
  ].join('\n')
}

/** Formats and signs the message. */
export async function signFarcasterSignIn(
  request: FarcasterSignInRequest,
  { fid, signer, issuedAt = new Date() }: { fid: bigint; signer: PrivateKeyAccount; issuedAt?: Date },
): Promise<{ message: string; signature: string }> {
  const message = formatFarcasterSignIn(request, { fid, address: signer.address, issuedAt })
  return { message, signature: await signer.signMessage({ message }) }
}
