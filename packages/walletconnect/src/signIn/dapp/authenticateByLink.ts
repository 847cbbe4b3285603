import { requestError, connectionError } from '@latchkey/protocol'
import type { LinkRoutes } from '../../channel/linkMode/linkRoutes.ts'
import { parsePayload } from '../../channel/payload.ts'
import { bytesToHex, randomBytes } from '../../crypto/bytes.ts'
import { topicOfKey } from '../../crypto/envelope.ts'
import { parsePlainEnvelope } from '../../crypto/plainEnvelope.ts'
import type { DappClient } from '../../dapp/dappClient.ts'
import { toRejection } from '../../dapp/proposeSession.ts'
import { withResolvers } from '../../primitives/withResolvers.ts'
import { completeSignIn, formatAuthenticateParams, type PreparedSignIn, type SignedIn } from './signedIn.ts'

const method = 'wc_sessionAuthenticate'

/**
 * Opens a wallet with a sign-in, and waits for the link with its response.
 *
 * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `session/invalid`, `request/expired` or
 * `request/failed` with the wallet's code
 */
export async function authenticateByLink(
  client: DappClient,
  links: LinkRoutes,
  signIn: PreparedSignIn & { link: string },
  signal: AbortSignal,
): Promise<SignedIn> {
  const { channel } = client
  const topic = bytesToHex(randomBytes(32))
  const responseTopic = topicOfKey(signIn.keys.publicKey)
  const { promise, resolve, reject } = withResolvers<SignedIn>()
  const onAbort = (): void => reject(connectionError('connection/aborted', {}))
  signal.addEventListener('abort', onAbort)
  const removeLinks = [topic, responseTopic].map((each) => links.add(each, signIn.link))
  const release = channel.intercept(responseTopic, (message) => void receive(message).catch(reject))
  if (signal.aborted) onAbort()
  const { timeoutSeconds } = signIn
  const params = formatAuthenticateParams(client, signIn)
  const { id, response, cancel } = channel.request(topic, method, params, { timeoutSeconds })
  response.catch((error: unknown) => reject(toRejection(error)))
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    cancel()
    release()
    for (const removeLink of removeLinks) removeLink()
  }

  async function receive(message: string): Promise<void> {
    const payload = parsePayload(parsePlainEnvelope(message))
    if (payload?.id !== id || payload.kind === 'request') return
    release()
    if (payload.kind === 'result') return resolve(await completeSignIn(client, signIn, payload.result, signal))
    const { code, reason } = payload
    reject(toRejection(requestError('request/failed', { method, code, reason })))
  }
}
