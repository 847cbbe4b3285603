import type { Exchange } from '../../kit/exchange.ts'

/** The exchanges of known chains. */
export const knownExchanges: Readonly<Record<string, Exchange>> = {}
