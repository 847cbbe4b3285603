/** The tables of the share store with rows of a user. */
export const userTables = [
  'share_set',
  'share_wrap',
  'share_auto',
  'share_device',
  'share_contact',
  'share_wallet',
  'share_deletion',
  'share_policy',
  'share_policy_request',
  'share_passkey',
  'share_challenge',
] as const
