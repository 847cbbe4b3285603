import type { Latchkey } from './latchkey.ts'

/** The typed key of state that an instance keeps for one feature. */
export type FeatureKey<value> = { readonly create: (latchkey: Latchkey) => value }

/**
 * Declares state that each instance creates the first time it is used. Features that you don't import are not bundled.
 *
 * @param create makes the state of one instance
 * @returns the key for `getFeature`
 * @example const counter = defineFeature(() => ({ count: 0 }))
 */
export function defineFeature<value>(create: (latchkey: Latchkey) => value): FeatureKey<value> {
  return { create }
}

/**
 * Returns the state that an instance keeps for a feature, creating it on first use.
 *
 * @example
 * const counter = defineFeature(() => ({ count: 0 }))
 * getFeature(latchkey, counter).count += 1
 */
export function getFeature<value>(latchkey: Latchkey, feature: FeatureKey<value>): value {
  const { features } = latchkey.internal
  // A feature is both key and constructor, so its entry always has its type.
  if (features.has(feature)) return features.get(feature) as value
  const created = feature.create(latchkey)
  features.set(feature, created)
  return created
}
