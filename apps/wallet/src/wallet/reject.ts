import { rpcErrors } from '../rpcError.ts'
import { decide } from './decide.ts'
import type { DeveloperWallet } from './developerWallet.ts'
import { deliver, respondWithError } from './respond.ts'

/** Rejects the pending request `key`. */
export async function reject(wallet: DeveloperWallet, key: string): Promise<void> {
  await decide(wallet, key, (pending) =>
    pending.kind === 'request'
      ? respondWithError(wallet, pending.request, rpcErrors.rejected())
      : deliver(wallet, (protocol) => protocol.reject(pending.proposal)),
  )
}
