import { getField } from '@latchkey/protocol'

/** A method of one of the wallet's features. */
export type FeatureMethod = (...inputs: readonly unknown[]) => unknown

/** Finds a method of a feature. Returns `undefined` if the wallet does not have it. */
export function findFeatureMethod(wallet: object, feature: string, method: string): FeatureMethod | undefined {
  const implementation = getField(wallet, 'features', feature)
  const call = getField(implementation, method)
  return typeof call === 'function' ? (...inputs) => Reflect.apply(call, implementation, inputs) : undefined
}
