import { parseChainId, type Namespace, type SignInSession } from '@latchkey/protocol'

/** Verifies the sessions of one namespace. */
export abstract class SIWXVerifier {
  abstract readonly chainNamespace: Namespace

  /** True if the session is of this namespace. */
  shouldVerify({ data }: SignInSession): boolean {
    return parseChainId(data.chainId).namespace === this.chainNamespace
  }

  /** Returns true if the signature is valid. */
  abstract verify(session: SignInSession): Promise<boolean>
}

/** Verifies signatures of accounts with a key. Contract accounts are verified by `DefaultSIWX` without verifiers. */
export class EIP155Verifier extends SIWXVerifier {
  readonly chainNamespace = 'eip155'
  async verify({ data, message, signature }: SignInSession): Promise<boolean> {
    const { verifyEip155 } = await import('@latchkey/verify/eip155')
    return verifyEip155(data.accountAddress, message, signature)
  }
}

/** Verifies Ed25519 signatures. */
export class SolanaVerifier extends SIWXVerifier {
  readonly chainNamespace = 'solana'
  async verify({ data, message, signature }: SignInSession): Promise<boolean> {
    const { verifySolana } = await import('@latchkey/verify/solana')
    return verifySolana(data.accountAddress, message, signature)
  }
}

/** Verifies signatures of Bitcoin addresses, BIP-322 included. */
export class BIP122Verifier extends SIWXVerifier {
  readonly chainNamespace = 'bip122'
  async verify({ data, message, signature }: SignInSession): Promise<boolean> {
    const { verifyBip122 } = await import('@latchkey/verify/bip122')
    return verifyBip122(data.accountAddress, message, signature)
  }
}
