const server = 'server/src'

/** Named mutants of the checks that keep a device with junk from the data of the wallet's owner. */
export const junkMutants = [
  {
    name: 'junk of a login deletes auth shares that were not used',
    file: `${server}/auth/keyShares/deleteUnusedShares.ts`,
    find: '\n          and newer.proven_at is not null',
    replace: '',
    tests: `${server}/auth/keyShares/authShares.test.ts`,
    title: 'C-08',
  },
  {
    name: 'junk of a login deletes recovery shares that were not used',
    file: `${server}/shares/recovery/sweepEnrolments.ts`,
    find: ' and other.proven_at is not null',
    replace: '',
    tests: `${server}/shares/recovery/recoveryStore.test.ts`,
    title: 'C-08',
  },
  {
    name: 'junk of a login uses up the devices of a wallet',
    file: `${server}/auth/keyShares/authShares.ts`,
    find: ' and proven_at is not null and key_thumbprint <> ${key}',
    replace: ' and key_thumbprint <> ${key}',
    tests: `${server}/auth/keyShares/authShares.test.ts`,
    title: 'C-08',
  },
  {
    name: 'drafts use up the devices of a wallet',
    file: `${server}/shares/recovery/assertRoomForDevice.ts`,
    find: 'count(distinct key_thumbprint) as count from share_set\n    where user_id = ${user} and live_at is not null and',
    replace: 'count(*) as count from share_set\n    where user_id = ${user} and',
    tests: `${server}/shares/recovery/recoveryStore.test.ts`,
    title: 'C-08',
  },
]
