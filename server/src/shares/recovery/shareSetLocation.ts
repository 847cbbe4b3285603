import type { SecretLocation } from '../../kit/secrets/secrets.ts'

/** Identifies an enrolment of a wallet. The share itself contains all three values, too. */
export type EnrolmentRef = { readonly walletId: Uint8Array; readonly setId: Uint8Array; readonly epoch: number }

/**
 * The location that a share is sealed for. Shares are sealed under a data key of their epoch. The next epoch destroys that
 * key, and with it the shares in backups.
 */
export function shareSetLocation(user: string, { walletId, setId, epoch }: EnrolmentRef): SecretLocation {
  return {
    table: 'share_set',
    row: Buffer.from(setId).toString('hex'),
    owner: user,
    scope: epochScope({ walletId, epoch }),
  }
}

/** The scope of the data key of an epoch. */
export function epochScope({ walletId, epoch }: Omit<EnrolmentRef, 'setId'>): string {
  return `${Buffer.from(walletId).toString('hex')}/${epoch}`
}
