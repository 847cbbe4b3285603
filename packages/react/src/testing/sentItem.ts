import { fakeAccount, fakeHash } from '@latchkey/core/fakes'
import { parseAccountId, type HistoryItem } from '@latchkey/protocol'

/** A confirmed transaction of the first fake account, without transfers. */
export const sentItem: HistoryItem = {
  id: '1',
  metadata: {
    operationType: 'send',
    hash: fakeHash('w', 1),
    minedAt: '2026-07-15T12:00:00.000Z',
    sentFrom: parseAccountId(fakeAccount('eip155:1')).address,
    sentTo: `0x${'c'.repeat(40)}`,
    status: 'confirmed',
    nonce: 1,
    application: null,
    chain: 'eip155:1',
  },
  transfers: [],
}
