/**
 * The entry for Latchkey's own packages. It follows no semantic versioning. Apps import `@latchkey/elements`.
 *
 * @packageDocumentation
 */
export { createElementClass, type ElementListener } from './createElementClass.ts'
export { readButtonAttributes, isAttributeSet, type ButtonAttributeValues } from './readButtonAttributes.ts'
