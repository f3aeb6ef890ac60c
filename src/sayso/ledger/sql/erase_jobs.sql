WITH gone AS (DELETE FROM sayso_jobs.procrastinate_jobs WHERE args ->> 'user_id' = %(user_id)s RETURNING 1)
SELECT count(*) FROM gone
