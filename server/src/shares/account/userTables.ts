/** The tables of the share store with rows of a wallet, which move with it to another user id. */
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

/** The tables with approvals of new devices, which last for days at most. They belong to one user id. */
export const approvalTables = ['share_identity', 'share_device_request'] as const
