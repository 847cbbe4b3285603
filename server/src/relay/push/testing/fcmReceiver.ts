import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { FcmAccount } from '../pushVariables.ts'
import { listenLocally, recordRequests, type RecordedRequests } from './recordRequests.ts'

/** A server with the endpoints of Firebase that a sender uses: the exchange of access tokens, and the HTTP v1 API. */
export type FcmReceiver = RecordedRequests & {
  url: string
  account: FcmAccount
  accountKey: KeyObject
  /** The requests for access tokens. */
  tokenRequests: RecordedRequests['requests']
  close(): Promise<void>
}

/** Starts the server. */
export async function startFcmReceiver(): Promise<FcmReceiver> {
  const recorded = recordRequests({ status: 200, body: '{"name":"projects/test-project/messages/1"}' })
  const token = JSON.stringify({ access_token: 'access-token', expires_in: 3599, token_type: 'Bearer' })
  const tokens = recordRequests({ status: 200, body: token })
  const server = createServer((request, response) =>
    (request.url === '/token' ? tokens : recorded).listener(request, response),
  )
  const url = `http://127.0.0.1:${await listenLocally(server)}`
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    ...recorded,
    url,
    accountKey: publicKey,
    account: {
      project_id: 'test-project',
      client_email: 'push@test-project.iam.gserviceaccount.com',
      private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      token_uri: `${url}/token`,
    },
    tokenRequests: tokens.requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
