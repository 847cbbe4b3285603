/**
 * The feature that marks a wallet that Latchkey itself registered. Such a wallet is never listed: to connect it would mean that an
 * instance, or two instances in turn, ask themselves.
 */
export const ownFeature = 'latchkey:wallet'
