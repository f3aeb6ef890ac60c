SELECT count(*) FROM sayso_jobs.procrastinate_jobs WHERE args ->> 'user_id' = %(user_id)s
