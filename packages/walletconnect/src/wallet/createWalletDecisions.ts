import { peerErrors } from '../channel/peerError.ts'
import { proposalRejections } from '../channel/signMethod.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { formatSignInMessage } from '../signIn/cacao.ts'
import { approveAuthenticate, rejectAuthenticate } from '../signIn/wallet/authenticateRequest.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { ResponseSender } from './createResponseSender.ts'
import { approveProposal } from './approveProposal.ts'
import type { Wallet } from './wallet.ts'
import { endPairing, type WalletClient } from './walletClient.ts'
import type { WalletRequest } from './walletRequest.ts'

type WalletDecisions = Pick<
  Wallet,
  'approve' | 'reject' | 'formatAuthMessage' | 'approveAuthenticate' | 'rejectAuthenticate' | 'respond'
>

/** Creates the functions by which a wallet responds to its user's decisions. */
export function createWalletDecisions(client: WalletClient & { readonly responses: ResponseSender }): WalletDecisions {
  const { activeSessions, channel, inbox, responses, sessions } = client
  return {
    async approve(proposal, approval) {
      const session = await approveProposal(client, proposal, approval, ({ topic }) => activeSessions.end(topic))
      activeSessions.save(session)
      endPairing(client, proposal.pairingTopic)
      return session
    },

    async reject({ id, pairingTopic }, error = peerErrors.rejected) {
      const request = { topic: pairingTopic, id, method: 'wc_sessionPropose' } as const
      await channel.reject(request, error, proposalRejections.user)
      endPairing(client, pairingTopic)
    },

    formatAuthMessage: ({ payload }, account) => formatSignInMessage(payload, account),

    async approveAuthenticate(request, cacaos) {
      const session = await approveAuthenticate(client, request, cacaos)
      endPairing(client, request.pairingTopic)
      return session
    },

    async rejectAuthenticate(request, error = peerErrors.rejectedAuthenticate) {
      await rejectAuthenticate(client, request, error)
      endPairing(client, request.pairingTopic)
    },

    async respond(request, response) {
      const { method, topic } = request
      const item = sessions.get(topic) && inbox.storeResponse(request, response)
      if (item !== undefined) return responses.send(item)
      refuseLateResponse(client, request)
      throw walletConnectError('request/expired', { method })
    },
  }
}

/** Notifies the dapp if its request expired before the user decided. */
function refuseLateResponse(
  { channel, clock, inbox, sessions }: WalletClient,
  { id, topic, expiry }: Pick<WalletRequest, 'id' | 'topic' | 'expiry'>,
): void {
  const isExpired = expiry * 1000 <= clock.now()
  if (!isExpired || sessions.get(topic) === undefined || inbox.findDecided({ id, topic }) !== undefined) return
  runInBackground(channel.reject({ id, topic, method: 'wc_sessionRequest' }, peerErrors.requestExpired))
}
