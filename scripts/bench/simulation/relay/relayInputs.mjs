// The inputs of the relay's plan. Each is an assumption that an operator replaces by measurements of their own users, unless its
// comment names a measurement. `--name=value` of `npm run bench simulation` sets those of `relayInputs`.

/**
 * A region: its share of the wallets, the difference of its time to UTC in hours, and the round trips to the others in
 * milliseconds.
 *
 * @typedef {{ name: string, share: number, utcOffset: number, roundTripMs: Readonly<Record<string, number>> }} Region
 */

/** @typedef {'postgresql' | 'nats'} Engine the store of the messages */

/** @typedef {typeof relayInputs} RelayInputs */

export const relayInputs = {
  /** Share of the connected wallets (those with a session) whose app is open, with a socket, on average over the day. */
  onlineWallets: 0.05,
  /** Pages of apps with a socket per connected wallet, on average over the day. */
  onlinePages: 0.04,
  /** Sessions of a connected wallet. */
  sessionsPerWallet: 2,
  /** Messages of a session in an hour: requests and responses, events, pings, and the setup of the session. */
  messagesPerSessionHour: 0.25,
  /** The busiest hour of a region relative to its mean. The day is a cosine around it; 2 at most. */
  dailyPeak: 1.8,
  /** Times that a wallet app comes to the foreground and connects in a day. */
  wakesPerWalletDay: 6,
  /** Pages that connect per connected wallet and day. */
  pageLoadsPerWalletDay: 3,
  /** Sealed message in bytes. The measurements used 512. */
  messageBytes: 1_000,
  /** Hours that a message is stored until it expires, acknowledged or not: most have five minutes, some a day. */
  mailboxHours: 2.5,
  /** Copies of each message. */
  replicas: 3,
  /** Share of the messages whose app and wallet are in different regions. */
  foreignShare: 0.2,
  /** Part of each measured limit that is planned for; the rest is for bursts and for the loss of a region. */
  plannedShare: 0.6,
  /** Relay processes of a region at least, so that one may fail. */
  leastProcesses: 2,
  /** Processor cores rented for each relay process: its thread, garbage collection, and the kernel. */
  coresPerProcess: 2,
  /** Connections that PostgreSQL accepts (`max_connections`). */
  databaseConnections: 500,
  /** Dollars for a processor core with 4 GB of memory for a month. */
  coreMonth: 20,
  /** Dollars for a gigabyte of replicated disk for a month, for each copy. */
  storageMonth: 0.1,
  /** Dollars for a gigabyte sent to clients. */
  egress: 0.05,
  /** Dollars for a gigabyte sent to another region. */
  crossRegion: 0.02,
}

/** Bytes that a message, a connection and its upkeep cost on the wire. Estimated from the formats, not measured. */
export const wireBytes = {
  /** JSON-RPC, the frame, TLS and TCP around a message, in each direction. */
  envelope: 350,
  /** Response and acknowledgement with their frames. */
  receipts: 250,
  /** TLS handshake, the upgrade with its token, and the subscriptions; two thirds of it are sent by the server. */
  connect: 7_000,
  /** A ping and its pong every 25 seconds. */
  pingPerSecond: 6,
  /**
   * The headers of a message and its receipt, which every process reads from NATS three times: when it searches for missed
   * messages, when they are new, and when they expire.
   */
  polledHeaders: 3 * 400,
}

/** @type {readonly Region[]} */
const threeRegions = [
  { name: 'Americas', share: 0.35, utcOffset: -5, roundTripMs: { Europe: 90, Asia: 160 } },
  { name: 'Europe', share: 0.35, utcOffset: 1, roundTripMs: { Americas: 90, Asia: 180 } },
  { name: 'Asia', share: 0.3, utcOffset: 8, roundTripMs: { Americas: 160, Europe: 180 } },
]
const smallest = 100_000

/**
 * Lists the regions of a deployment. A small one has a single region.
 *
 * @param {number} wallets
 * @returns {readonly Region[]}
 */
export function listRegions(wallets) {
  return wallets < smallest ? [{ name: 'one region', share: 1, utcOffset: 1, roundTripMs: {} }] : threeRegions
}
