/**
 * The action of a row of the audit log, as SQL. Earlier versions named what the service does by the events of its lifecycle,
 * of which some were words of webhook events with another meaning; entries never change, and processes of both versions
 * write during an upgrade. What those versions wrote is known by the states, because newer ones never write it with them.
 */
export const auditActionOf = (row: string): string => {
  const from = `${row}.details ->> 'from'`
  const to = `${row}.details ->> 'to'`
  return `case ${row}.action
    when 'connection.verified' then case
      when ${to} = 'active' and ${from} = 'verifying' then 'connection.active'
      when ${to} is null then 'connection.control_proven'
      else ${eventOfState(to)} end
    when 'connection.restored' then case when ${to} = 'disconnected' then 'connection.disconnected' else ${row}.action end
    when 'connection.discovery_failed' then 'connection.failed'
    when 'connection.discovered' then case
      when ${to} = 'verifying' then 'connection.applied'
      when ${from} in ('requested', 'degraded') and ${to} <> ${from} then 'connection.planned'
      else ${row}.action end
    when 'connection.planned' then case
      when ${to} = 'verifying' then 'connection.applied'
      when ${to} in ('applying', 'disconnecting') then 'connection.plan_made'
      else ${row}.action end
    when 'connection.control_lost' then case when ${to} = 'degraded' then 'connection.degraded' else ${row}.action end
    when 'connection.canceled' then case
      when ${to} <> 'canceled' then 'connection.change_canceled' else ${row}.action end
    when 'connection.expired' then coalesce(${eventOfState(to)}, ${row}.action)
    else ${row}.action end`
}

/** The event that reports a state which a connection did not enter from `verifying`. */
const eventOfState = (state: string): string => `case ${state}
  when 'active' then 'connection.restored'
  when 'verifying' then 'connection.applied'
  else 'connection.' || (${state}) end`
