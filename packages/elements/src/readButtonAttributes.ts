import { isNamespace, type Namespace } from '@latchkey/protocol'

/** The attributes that all buttons share, as the properties of the components. */
export type ButtonAttributeValues = {
  size: 'md' | 'sm'
  disabled: boolean
  namespace: Namespace | undefined
  label: string | undefined
}

/** Reads the attributes that all buttons share. Unknown values count as absent. */
export function readButtonAttributes(attributes: ReadonlyMap<string, string>): ButtonAttributeValues {
  const namespace = attributes.get('namespace')
  return {
    size: attributes.get('size') === 'sm' ? 'sm' : 'md',
    disabled: isAttributeSet(attributes.get('disabled')),
    namespace: namespace !== undefined && isNamespace(namespace) ? namespace : undefined,
    label: attributes.get('label'),
  }
}

/** React 18 writes `disabled={false}` as a string. */
export function isAttributeSet(value: string | undefined): boolean {
  return value !== undefined && value !== 'false'
}
