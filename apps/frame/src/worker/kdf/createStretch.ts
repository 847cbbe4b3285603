import type { StretchPassword } from '../../custody/passwordKey.ts'
import type { KdfRequest } from './kdf.ts'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import kdfUrl from './kdf.ts?worker&url'
import { trustedScriptUrl } from '../trustedScriptUrl.ts'

/**
 * Creates a function that stretches passwords in a worker of its own. It takes half a second, and the calling worker
 * stays responsive.
 */
export function createStretch(): StretchPassword {
  let address: string | undefined
  return (input, salt) => {
    address ??= trustedScriptUrl(kdfUrl)
    const worker = new Worker(address, { type: 'module', name: 'kdf' })
    return new Promise<Uint8Array>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('The password could not be stretched in this browser.')))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      worker.postMessage({ input, salt } satisfies KdfRequest)
    }).finally(() => worker.terminate())
  }
}
