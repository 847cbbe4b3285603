import type { Stretch } from '../custody/password.ts'
import type { KdfOrder } from './kdf.ts'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import kdfUrl from './kdf.ts?worker&url'
import { ownScript } from './ownScript.ts'

/** Makes what stretches passwords in a worker of their own: half a second in which this one still answers. */
export function createStretch(): Stretch {
  let address: string | undefined
  return (input, salt) => {
    address ??= ownScript(kdfUrl)
    const worker = new Worker(address, { type: 'module', name: 'kdf' })
    return new Promise<Uint8Array>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('The password could not be stretched here.')))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      worker.postMessage({ input, salt } satisfies KdfOrder)
    }).finally(() => worker.terminate())
  }
}
