import { systemClock, type Clock } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import {
  manifestLimits,
  manifestName,
  signaturesName,
  verifyRelease,
  verifyWithWebCrypto,
  type ReleaseSigners,
  type VerifyEd25519,
} from '@latchkey/protocol/release'
import { embeddedError } from '../embeddedError.ts'

/** Time for both files together. */
const downloadMs = 20_000

/**
 * Checks that the required signers signed the release that a frame's origin offers. The host itself responds to this check, so it
 * finds mistakes and manipulated files, not a host that shows the check other files than the user.
 *
 * @param frameOrigin origin of the frame
 * @throws LatchkeyError `embedded/unsigned` if the release is not signed; `embedded/unreachable` if it can't be downloaded
 */
export async function assertSignedFrame(
  frameOrigin: string,
  signers: ReleaseSigners,
  clock: Clock = systemClock,
): Promise<void> {
  const aborter = new AbortController()
  const cancel = clock.after(downloadMs, () => aborter.abort())
  try {
    const [manifest, signatures] = await Promise.all(
      [manifestName, signaturesName].map((name) => downloadDocument(new URL(`${frameOrigin}/${name}`), aborter.signal)),
    )
    if (manifest === undefined || signatures === undefined) {
      throw embeddedError('embedded/unsigned', { origin: frameOrigin, reason: 'it has no signatures' })
    }
    await verifyRelease(manifest, signatures, signers, verifyAnywhere)
  } catch (error) {
    if (!isLatchkeyError(error, 'release/invalid')) throw error
    throw embeddedError('embedded/unsigned', { origin: frameOrigin, reason: error.context.reason }, { cause: error })
  } finally {
    cancel()
  }
}

/** @returns `undefined` if the site has no such document or it is too large */
async function downloadDocument(url: URL, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    const response = await fetch(url, { credentials: 'omit', redirect: 'error', cache: 'no-store', signal })
    if (!response.ok) return undefined
    return await collectBytes(response)
  } catch (error) {
    throw embeddedError('embedded/unreachable', { origin: url.origin }, { cause: error })
  }
}

async function collectBytes({ body }: Response): Promise<Uint8Array | undefined> {
  const reader = body?.getReader()
  const bytes = new Uint8Array(manifestLimits.bytes)
  let length = 0
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    if (length + value.length > bytes.length) {
      await reader.cancel()
      return undefined
    }
    bytes.set(value, length)
    length += value.length
  }
  return bytes.subarray(0, length)
}

/** Older browsers have no Ed25519. Only they download the library. */
const verifyAnywhere: VerifyEd25519 = async (publicKey, signature, message) => {
  try {
    return await verifyWithWebCrypto(publicKey, signature, message)
  } catch {
    const { ed25519 } = await import('@noble/curves/ed25519.js')
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  }
}
