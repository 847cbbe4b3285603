import { Type, type Static } from '@sinclair/typebox'
import { formatBase64url } from '../../custody/requests/parseBase64url.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { StoredWallet } from './recoveryStore.ts'

/** The response schema of a stored wallet. */
export const storedWalletResponse = Type.Object({
  walletId: Type.String(),
  setId: Type.String(),
  epoch: Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 }),
  share: Type.String(),
  vault: Type.String(),
  wraps: Type.Array(
    Type.Object({ id: Type.String(), method: Type.String(), wrapped: Type.String(), facts: Type.String() }),
  ),
})

/**
 * Formats a stored wallet for the frame.
 *
 * @throws Problem 404 with the given field without one
 */
export function formatStoredWallet(
  stored: StoredWallet | undefined,
  field: string,
): Static<typeof storedWalletResponse> {
  if (stored === undefined) throw new Problem(404, field, 'There is no such enrolment here.')
  const { walletId, setId, share, vault, wraps, epoch } = stored
  return {
    walletId: formatBase64url(walletId),
    setId: formatBase64url(setId),
    epoch,
    share: formatBase64url(share),
    vault: formatBase64url(vault),
    wraps: wraps.map(({ wrapped, ...rest }) => ({ ...rest, wrapped: formatBase64url(wrapped) })),
  }
}
