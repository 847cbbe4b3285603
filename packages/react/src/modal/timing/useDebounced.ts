import { internalsOf } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../context.ts'

/** Returns a value after it has not changed for some time. */
export function useDebounced<value>(value: value, milliseconds: number): value {
  const { clock } = internalsOf(useLatchkey())
  const [settled, setSettled] = useState(value)
  useEffect(() => clock.after(milliseconds, () => setSettled(value)), [clock, value, milliseconds])
  return settled
}
