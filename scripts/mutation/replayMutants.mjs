/** @typedef {import('./namedMutants.mjs').NamedMutant} NamedMutant */

const walletConnect = 'packages/walletconnect/src'

/**
 * Removed checks of messages that a hostile relay replays.
 *
 * @type {readonly NamedMutant[]}
 */
export const replayMutants = [
  {
    name: 'a hostile relay replays an old update after a reload',
    file: `${walletConnect}/dapp/messageOrder.ts`,
    find: "if (id < Math.max(stored, last?.bound ?? -Infinity)) return 'outdated'",
    replace: '',
    tests: `${walletConnect}/dapp/createDappReceiver.test.ts`,
    title: 'replayed after a reload',
  },
  {
    name: 'the ids of accepted messages are not read from the storage',
    file: `${walletConnect}/session/sessionStore.ts`,
    find: '...parseLatestIds(value.latestIds),',
    replace: '',
    tests: `${walletConnect}/dapp/createDappReceiver.test.ts`,
    title: '[G-10]',
  },
  {
    name: 'a replayed event is reported again after a reload',
    file: `${walletConnect}/dapp/messageOrder.ts`,
    find: "if (id === last?.id) return 'repeated'",
    replace: '',
    tests: `${walletConnect}/dapp/createDappReceiver.test.ts`,
    title: 'is not reported again',
  },
  {
    name: 'a relay that sets its time back lets old updates pass',
    file: `${walletConnect}/dapp/messageOrder.ts`,
    find: 'Math.max(clock.now(), clock.localNow())',
    replace: 'clock.now()',
    tests: `${walletConnect}/dapp/createDappReceiver.test.ts`,
    title: 'the relay states an earlier time',
  },
]
